export { createTestPlatform } from './create-test-platform.js';
export type {
  InstallOptions,
  RenderedComponent,
  TestDelivery,
  TestEvent,
  TestEventResult,
  TestLog,
  TestPlace,
  TestPlatform,
  TestPlatformOptions,
  TestRequest,
  TestWebhook,
} from './test-platform.js';
