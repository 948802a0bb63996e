import type {
  Environment,
  Installation,
  SiteInstallation,
  SpaceInstallation,
} from '../protocol/environment.js';
import type { EventOf, EventType, PlatformEvent, RenderContext } from '../protocol/events.js';
import type { InstallationChange, QueuedTask } from './api/api-client.js';
import type { HostAction } from './component-action.js';
import type { RuntimeContext } from './context.js';
import type { ContentSourceInput } from './create-content-source.js';
import type { AnyValues, RuntimeEnvironment } from './runtime-environment.js';
import type { TaskCallback } from './serve/event-callbacks.js';
import type { IntegrationDefinition } from './integration-definition.js';
import type { SelectOption } from './jsx/elements.js';
import type { Markup, MarkupNode } from './jsx/markup.js';

export type * from '../protocol/events.js';
export type {
  Environment,
  InstallationStatus,
  Installation,
  SiteInstallation,
  SpaceInstallation,
} from '../protocol/environment.js';
export type { Scope } from '../protocol/scopes.js';
export type { Clock } from '../base/clock.js';
export type * from './jsx/elements.js';
export type { Markup, MarkupComponent, MarkupNode } from './jsx/markup.js';
export type { JSX } from './jsx/jsx.js';

// The names under which integrations of this kind import the same things.
export type Event = PlatformEvent;
export type EventByType<Type extends EventType> = EventOf<Type>;
export type IntegrationTaskEventCallback<Context extends RuntimeContext = RuntimeContext> =
  TaskCallback<Context>;
export type IntegrationRuntimeDefinition<Context extends RuntimeContext = RuntimeContext> =
  IntegrationDefinition<Context>;
export type PlainObject = AnyValues;
export type IntegrationEnvironment = Environment<AnyValues, AnyValues, AnyValues>;
export type IntegrationInstallation = Installation<AnyValues>;
export type IntegrationSpaceInstallation = SpaceInstallation<AnyValues>;
export type IntegrationSiteInstallation = SiteInstallation<AnyValues>;
export type IntegrationInstallationConfiguration = AnyValues;
export type RequestUpdateIntegrationInstallation = InstallationChange;
export type RequestUpdateIntegrationSpaceInstallation = InstallationChange;
export type RequestUpdateIntegrationSiteInstallation = InstallationChange;
export type IntegrationTask = QueuedTask['task'];
export type ContentKitContext = RenderContext;
export type ContentKitDefaultAction = HostAction;
export type ContentKitSelectOption = SelectOption;
export type ContentKitRenderOutput =
  | { type: 'element'; state: AnyValues; props: AnyValues; element: MarkupNode }
  | { type: 'complete'; returnValue?: AnyValues };

// JSX is of one type, whatever the element.
export type ContentKitBlock = Markup;
export type ContentKitButton = Markup;
export type ContentKitCard = Markup;
export type ContentKitConfiguration = Markup;
export type ContentKitInput = Markup;
export type ContentKitModal = Markup;
export type ContentKitWebFrame = Markup;

/** Props of a component that draws the configuration of an installation. */
export interface InstallationConfigurationProps<Env extends RuntimeEnvironment> {
  installation: { configuration: NonNullable<Env['installation']>['configuration'] };
}

export interface SpaceInstallationConfigurationProps<
  Env extends RuntimeEnvironment,
> extends InstallationConfigurationProps<Env> {
  spaceInstallation: { configuration?: NonNullable<Env['spaceInstallation']>['configuration'] };
}

export interface SiteInstallationConfigurationProps<
  Env extends RuntimeEnvironment,
> extends InstallationConfigurationProps<Env> {
  siteInstallation: { configuration?: NonNullable<Env['siteInstallation']>['configuration'] };
}

/** Props of a component that configures a content source. */
export interface ConfigureContentSourceProps<Input extends ContentSourceInput = ContentSourceInput> {
  contentSource: Input;
  submitLabel?: string;
}
