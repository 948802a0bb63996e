/** How far a version went. Below 1.0.0 the second number stands for the first. */
export function versionStep(
  before: string | undefined,
  after: string | undefined,
): 'major' | 'lesser' | 'unknown' {
  const [from, to] = [numbersOf(before), numbersOf(after)];
  if (!from || !to) return 'unknown';
  const [major = 0, minor = 0] = from;
  const [newMajor = 0, newMinor = 0] = to;
  if (newMajor > major) return 'major';
  return major === 0 && newMajor === 0 && newMinor > minor ? 'major' : 'lesser';
}

const numbersOf = (version: string | undefined): number[] | undefined =>
  /^(\d+)\.(\d+)\.(\d+)/
    .exec(version ?? '')
    ?.slice(1)
    .map(Number);
