interface StreamTask {
  url: string;
  count: number;
  headers: Record<string, string>;
}

/** Opens streams and keeps them open until killed. Prints how many were accepted and then how many got 503. */
async function main(): Promise<void> {
  const { url, count, headers } = JSON.parse(process.argv[2] ?? '') as StreamTask;
  const open: Response[] = [];
  let refused = 0;
  for (let n = 0; n < count; n += 1) {
    // The limit counts streams that have been open for more than a second.
    if (n === 128) await new Promise((resolve) => setTimeout(resolve, 1100));
    const response = await fetch(url, { headers });
    if (response.status === 200) open.push(response);
    else await response.body?.cancel();
    if (response.status === 503) refused += 1;
  }
  process.stdout.write(`ack ${open.length}\nack ${refused}\n`);
  setInterval(() => open.length, 60_000);
}

void main();
