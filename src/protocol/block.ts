/** A component that was inserted into a document: its props are kept, its state is not. */
export interface Block {
  id: string;
  component: string;
  props: Record<string, unknown>;
  installation: string;
  space?: string;
  site?: string;
}
