/** What ties a control to its field: its label, its hint, its error. */
export interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

/** Of a control with a field around it, or with a name of its own. */
export type ControlIds = Partial<FieldIds> & { 'aria-label'?: string };
