/** The service whose accounts are connected. Put the addresses of yours here. */
export const provider = {
  authorizeURL: 'https://provider.example/oauth/authorize',
  accessTokenURL: 'https://provider.example/oauth/token',
  profileURL: 'https://provider.example/api/me',
  scopes: ['profile'],
};
