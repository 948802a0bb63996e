/** All parts of the console that the first view does not need, in one script. */
export { BlocksView } from './blocks/blocks-view.js';
export { Composer } from './calls/compose/composer.js';
export { editCall } from './calls/compose/kept-call.js';
export { Comparison } from './calls/detail/comparison.js';
export { RenderedMarkup } from './calls/detail/rendered-markup.js';
export { RecordDialog } from './calls/record-dialog.js';
export { ReplayDiff } from './calls/replay-diff.js';
export { ConfigurationView } from './configuration/configuration-view.js';
export { ListingView } from './listing/listing-view.js';
export { PagesView } from './pages/pages-view.js';
export { Palette } from './palette/palette.js';
export { EndedNotice } from './shell/ended-notice.js';
export { ShortcutHelp } from './shell/shortcut-help.js';
export { TasksView } from './tasks/tasks-view.js';
export { WebhooksView } from './webhooks/webhooks-view.js';
