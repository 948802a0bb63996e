// A Vitest reporter that prints each failed or retried test when it ends, not only after all others.
export default class {
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    if (errors.length > 0)
      print(state === 'failed' ? 'failed' : 'retried', test.module, test.fullName, errors);
  }

  onTestModuleEnd(module) {
    if (module.errors().length > 0) print('failed', module, 'outside its tests', module.errors());
  }
}

const print = (what, { relativeModuleId }, name, [{ message }]) =>
  console.log(`\n${what}: ${relativeModuleId}: ${name}\n${message}`);
