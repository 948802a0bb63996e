if (process.argv.some((argument) => argument.startsWith('--seed'))) await import('./queue/run.js');
else await import('./simulate-load.js');
