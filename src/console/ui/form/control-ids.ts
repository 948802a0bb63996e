/** The ids that connect a control to the label, hint and error of its field. */
export interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean | undefined;
}

/** For a control that is not inside a field, or that has its own name. */
export type ControlIds = Partial<FieldIds> & { 'aria-label'?: string };
