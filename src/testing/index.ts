export { createTestPlatform } from './create-test-platform.js';
export { withTestPlatform } from './with-test-platform.js';
export { replayRecording, type ReplayRecordingOptions } from './replay-recording.js';
export { hang } from './outside/stubs.js';
export { signHmac } from './outside/sign-hmac.js';
export { createVirtualClock, type Clock, type VirtualClock } from '../base/clock.js';
export type { RenderedComponent } from './component/component-types.js';
export type { TestPage, TestReader } from './page/page-types.js';
export type {
  FinishedTest,
  InitialState,
  InstallOptions,
  TestCall,
  TestResponse,
  TestEvent,
  TestEventResult,
  TestLog,
  TestPlatform,
  TestPlatformOptions,
  TestRejection,
  UpgradeOptions,
} from './test-platform.js';
export type {
  OAuthOptions,
  OAuthPage,
  StubOptions,
  StubResponse,
  TestDelivery,
  TestRequest,
  TestTarget,
  TestWebhook,
  VisitOptions,
} from './outside/outside-types.js';
