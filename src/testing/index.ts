export { createTestPlatform } from './create-test-platform.js';
export type {
  InstallOptions,
  RenderedComponent,
  TestEvent,
  TestEventResult,
  TestLog,
  TestPlace,
  TestPlatform,
  TestPlatformOptions,
  TestRequest,
} from './test-platform.js';
