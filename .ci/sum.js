import { readFileSync } from 'node:fs';

const reports = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));
const sum = (key) => reports.reduce((total, report) => total + report[key], 0);
const failed = sum('numFailedTests');
console.log(
  `${sum('numPassedTests')} passed, ${failed} failed, ${sum('numPendingTests') + sum('numTodoTests')} skipped`,
);
if (failed > 0 || reports.some((report) => report.numPassedTests === 0)) process.exitCode = 1;
