/** The service whose accounts are connected. Enter your provider's URLs here. */
export const provider = {
  authorizeURL: 'https://provider.example/oauth/authorize',
  accessTokenURL: 'https://provider.example/oauth/token',
  profileURL: 'https://provider.example/api/me',
  scopes: ['profile'],
};
