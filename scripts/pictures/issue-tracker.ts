import { once } from 'node:events';
import { createServer } from 'node:http';

const people = ['Ada', 'Grace', 'Alan'];
const titles = ['Search finds page titles again', 'Dark mode in code samples', 'Links survive a move'];

const issuesOf = (release: string): object[] =>
  titles.map((title, index) => ({
    key: `DOC-${411 + index}`,
    title,
    // The failure of the pictures: an issue that has no assignee.
    assignee: release === '2.5.0' && index === 1 ? null : { name: people[index] },
  }));

/** The outside API that the sample integration reads: where its default configuration expects it. */
export async function startIssueTracker(): Promise<{ close(): Promise<void> }> {
  const server = createServer(({ url = '' }, response) => {
    const release = new URL(url, 'http://localhost').searchParams.get('release') ?? '';
    response.setHeader('Content-Type', 'application/json');
    // Long enough to be visible in the timeline.
    setTimeout(() => response.end(JSON.stringify(issuesOf(release))), 18);
  });
  server.listen(4300, 'localhost');
  await once(server, 'listening');
  return {
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
