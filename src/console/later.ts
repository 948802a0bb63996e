/** The parts of the console that are loaded only when they are first shown, all in one script. */
export { RecordDialog } from './calls/record-dialog.js';
export { PagesView } from './pages/pages-view.js';
