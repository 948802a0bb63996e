/** A component in a document. Its props are stored, but its state is not. */
export interface Block {
  id: string;
  component: string;
  props: Record<string, unknown>;
  installation: string;
  space?: string;
  site?: string;
}
