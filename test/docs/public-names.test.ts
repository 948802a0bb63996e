import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

/** What authors import today. A name leaves this list only with a line under "Breaking" in the changelog. */
const names: Record<string, string> = {
  'runtime/index.ts': `
    Action ApiAccess ApiAnswer BlockProps ButtonProps CardProps Clock CodeBlockProps ComponentAction
    ComponentDefinition ComponentInstance ComponentRenderCache ConfigureContentSourceProps Confirm
    ContentComputeDocumentEvent ContentComputeRevisionEvent ContentKitBlock ContentKitButton
    ContentKitCard ContentKitConfiguration ContentKitContext ContentKitDefaultAction ContentKitIcon
    ContentKitInput ContentKitModal ContentKitRenderOutput ContentKitSelectOption ContentKitWebFrame
    ContentSourceDefinition ContentSourceInput Control ConversationInput ConversationPart
    ConversationPartMessage Document DynamicState Elements Environment Event EventByType EventCallback
    EventCallbackMap EventOf EventType ExposableError ExtendedListOptions ExtractTaskPayload FetchEvent
    FetchEventCallback FetchPublishScriptEventCallback FetchPublishedScriptEvent FetchRequest
    FetchVisitorAuthenticationEvent FetchVisitorAuthenticationEventCallback Fragment
    GitSyncOperationState HmacSignature HostAction HostContext ImageProps InputProps Installation InstallationChange
    InstallationConfigurationProps InstallationDeletedEvent InstallationSetupEvent InstallationStatus
    IntegrationDefinition IntegrationEnvironment IntegrationInstallation
    IntegrationInstallationConfiguration IntegrationRuntimeDefinition IntegrationScript
    IntegrationSiteInstallation IntegrationSpaceInstallation IntegrationTask
    IntegrationTaskEventCallback JSX List ListOptions Log Logger Markup MarkupComponent MarkupNode
    ModalProps NonFetchEvent OAuthConfig OAuthConfiguration OAuthResponse PageFeedbackEvent PlainObject
    PlatformApi PlatformApiError PlatformEvent QueuedTask RenderContext
    RequestUpdateIntegrationInstallation RequestUpdateIntegrationSiteInstallation
    RequestUpdateIntegrationSpaceInstallation Revision RevisionChange RevisionPage RevisionPageGroup
    RuntimeCallback RuntimeContext RuntimeEnvironment Scope SelectOption SelectProps Site
    SiteAdaptiveSchema SiteInstallation SiteInstallationConfigurationProps SiteInstallationDeletedEvent
    SiteInstallationSetupEvent SiteViewEvent Space SpaceContentUpdatedEvent SpaceGitSyncCompletedEvent
    SpaceGitSyncStartedEvent SpaceInstallation SpaceInstallationConfigurationProps
    SpaceInstallationDeletedEvent SpaceInstallationSetupEvent SpaceViewEvent SpaceVisibilityUpdatedEvent
    StepProps StepperProps Task TaskCallback TaskEvent TextInputProps TextProps ToggleProps UIAction
    UIRenderEvent UrlContent User Visitor WebFrameProps WebhookEvent createApiClient createComponent
    createContentSource createContext createElement createIntegration createOAuthHandler
    defaultOAuthExtractCredentials getOAuthToken publicEndpoint routePath verifyHmac withQuery`,
  'runtime/jsx-runtime.ts': `
    Fragment JSX jsx jsxs`,
  'runtime/jsx-dev-runtime.ts': `
    Fragment JSX jsxDEV`,
  'webhooks/node/index.ts': `
    Attempt AttemptResult Backlog ClaimRequest ClaimResult Clock Delivery DeliveryChange DeliveryDetails
    DeliveryOutcome DeliveryPhase DeliveryQuery DeliveryState DeliveryStore Endpoint EndpointChanges
    EndpointRegistry EventLike NetworkErrorKind NewDelivery NewEndpoint NextDue
    NodeListener NodeRequest NodeResponse PageFeedbackEvent SeenEvents SiteViewEvent
    SpaceContentUpdatedEvent VerifyOptions Visitor WebhookDispatcher WebhookDispatcherOptions
    WebhookError WebhookErrorCode WebhookEvent WebhookFetch WebhookReceiver WebhookReceiverOptions
    createMemoryDeliveryStore createWebhookDispatcher createWebhookReceiver selectableEvents signPayload
    systemClock verifySignature createWebhookFetch keepDelivering`,
  'testing/index.ts': `
    InstallOptions RenderedComponent TestDelivery TestEvent TestEventResult TestLog
    TestPlatform TestPlatformOptions TestRequest TestWebhook createTestPlatform
    signHmac`,
};

const entries = Object.keys(names).map((file) =>
  fileURLToPath(new URL(`../../src/${file}`, import.meta.url)),
);
const program = ts.createProgram(entries, {
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  jsx: ts.JsxEmit.Preserve,
  types: [],
  noLib: true,
});

test.each(Object.entries(names))('%s exports every public name', (file, listed) => {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entries.find((entry) => entry.endsWith(`/src/${file}`)) ?? '');
  const module = source && checker.getSymbolAtLocation(source);
  const exported = module ? checker.getExportsOfModule(module).map(({ name }) => name) : [];
  const missing = listed
    .trim()
    .split(/\s+/)
    .filter((name) => !exported.includes(name));
  expect(missing).toEqual([]);
});
