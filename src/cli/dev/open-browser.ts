/** Opens an address with whatever the system opens addresses with; answers whether that could be started. */
export async function openBrowser(url: string, platform: string): Promise<boolean> {
  const [program, ...args] =
    platform === 'darwin'
      ? ['open']
      : platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler']
        : ['xdg-open'];
  const { execa } = await import('execa');
  const { failed } = await execa(program, [...args, url], { reject: false, stdio: 'ignore', timeout: 5_000 });
  return !failed;
}
