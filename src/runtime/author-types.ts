import type {
  Environment,
  Installation,
  SiteInstallation,
  SpaceInstallation,
} from '../protocol/environment.js';
import type { EventOf, EventType, PlatformEvent, RenderContext } from '../protocol/events.js';
import type { InstallationChange, QueuedTask } from './api/api-resources.js';
import type { HostAction } from './definition/component-action.js';
import type { RuntimeContext } from './definition/context.js';
import type { ContentSourceInput } from './definition/create-content-source.js';
import type { AnyValues, RuntimeEnvironment } from './environment/runtime-environment.js';
import type { TaskCallback } from './definition/event-callbacks.js';
import type { IntegrationDefinition } from './definition/integration-definition.js';
import type { SelectOption } from './jsx/elements.js';
import type { Markup, MarkupNode } from './jsx/markup-node.js';

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
export type { Markup, MarkupComponent, MarkupNode } from './jsx/markup-node.js';
export type { JSX } from './jsx/jsx.js';

// Aliases for names that existing integrations import.
/** Every event that the platform sends to a script. */
export type Event = PlatformEvent;
/** The event with this type. */
export type EventByType<Type extends EventType> = EventOf<Type>;
/** Runs a queued task. */
export type IntegrationTaskEventCallback<Context extends RuntimeContext = RuntimeContext> =
  TaskCallback<Context>;
/** The options of `createIntegration`. */
export type IntegrationRuntimeDefinition<Context extends RuntimeContext = RuntimeContext> =
  IntegrationDefinition<Context>;
/** An object with any properties. */
export type PlainObject = AnyValues;
/** The environment of a call. */
export type IntegrationEnvironment = Environment<AnyValues, AnyValues, AnyValues>;
/** An installation in an organization. */
export type IntegrationInstallation = Installation<AnyValues>;
/** An installation in a space. */
export type IntegrationSpaceInstallation = SpaceInstallation<AnyValues>;
/** An installation on a site. */
export type IntegrationSiteInstallation = SiteInstallation<AnyValues>;
/** The configuration of an installation. */
export type IntegrationInstallationConfiguration = AnyValues;
/** Changes to an installation. */
export type RequestUpdateIntegrationInstallation = InstallationChange;
/** Changes to an installation in a space. */
export type RequestUpdateIntegrationSpaceInstallation = InstallationChange;
/** Changes to an installation on a site. */
export type RequestUpdateIntegrationSiteInstallation = InstallationChange;
/** A queued task. */
export type IntegrationTask = QueuedTask['task'];
/** Where a component is rendered. */
export type ContentKitContext = RenderContext;
/** Actions that the platform either performs itself or sends to a component. */
export type ContentKitDefaultAction = HostAction;
/** Choice in a `<select>`. */
export type ContentKitSelectOption = SelectOption;
/** The JSON that a component's `render` returns in its response. */
export type ContentKitRenderOutput =
  | { type: 'element'; state: AnyValues; props: AnyValues; element: MarkupNode }
  | { type: 'complete'; returnValue?: AnyValues };

// All JSX expressions have the same type, regardless of the element.
/** A `<block>` element. */
export type ContentKitBlock = Markup;
/** A `<button>` element. */
export type ContentKitButton = Markup;
/** A `<card>` element. */
export type ContentKitCard = Markup;
/** A `<configuration>` element. */
export type ContentKitConfiguration = Markup;
/** An `<input>` element. */
export type ContentKitInput = Markup;
/** A `<modal>` element. */
export type ContentKitModal = Markup;
/** A `<webframe>` element. */
export type ContentKitWebFrame = Markup;

/** Props of a component that renders an installation's configuration. */
export interface InstallationConfigurationProps<Env extends RuntimeEnvironment> {
  /** The installation. */
  installation: { configuration: NonNullable<Env['installation']>['configuration'] };
}

/** Props of a component that renders a space's configuration. */
export interface SpaceInstallationConfigurationProps<
  Env extends RuntimeEnvironment,
> extends InstallationConfigurationProps<Env> {
  /** The installation in the space. */
  spaceInstallation: { configuration?: NonNullable<Env['spaceInstallation']>['configuration'] };
}

/** Props of a component that renders a site's configuration. */
export interface SiteInstallationConfigurationProps<
  Env extends RuntimeEnvironment,
> extends InstallationConfigurationProps<Env> {
  /** The installation on the site. */
  siteInstallation: { configuration?: NonNullable<Env['siteInstallation']>['configuration'] };
}

/** Props of a component that configures a content source. */
export interface ConfigureContentSourceProps<Input extends ContentSourceInput = ContentSourceInput> {
  /** The properties and dependencies of the content source. */
  contentSource: Input;
  /** Label of the button that submits. */
  submitLabel?: string;
}
