// Loaded into the measured process. Each message returns what has happened since the one before. Counts processor
// time as well, so other programs on the machine do not look like a block.
let [last, used, longestBlock] = [performance.now(), processorMs(), 0];
let since = used;
setInterval(() => {
  const [now, usedNow] = [performance.now(), processorMs()];
  longestBlock = Math.max(longestBlock, Math.min(now - last, usedNow - used));
  [last, used] = [now, usedNow];
}, 1).unref();

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

process.on('message', () => {
  const past = { longestBlock, processor: processorMs() - since };
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ ...past, memory: (heapUsed + external) / 1024 / 1024 });
  [last, used, longestBlock] = [performance.now(), processorMs(), 0];
  since = used;
});
process.channel?.unref();
