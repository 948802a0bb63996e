/** The ids with which a control is connected to its field's label, hint and error. */
export interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

/** For a control that is inside a field or has its own name. */
export type ControlIds = Partial<FieldIds> & { 'aria-label'?: string };
