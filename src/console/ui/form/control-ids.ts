/** Connects a control to its field's label, hint and error. */
export interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

/** For a control inside a field, or one with its own name. */
export type ControlIds = Partial<FieldIds> & { 'aria-label'?: string };
