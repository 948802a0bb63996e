import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { errorMessage } from '../../base/text/error-message.js';
import type { PageResource } from '../../contract/routes/content.js';
import { api } from '../api/fetch-api.js';
import { go } from '../shell/navigation.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { Field } from '../ui/form/field.js';
import { ConfirmDialog } from '../ui/messages/confirm-dialog.js';

interface FormDialogProps {
  title: string;
  action: string;
  fields: readonly { name: string; label: string; hint?: string; first: string }[];
  /** Rejects with the reason if the values cannot be used. */
  onSubmit: (values: Record<string, string>) => Promise<void>;
  onClose: () => void;
  /** Derives a value from the others until the user types a different one. */
  derive?: (values: Record<string, string>) => Record<string, string>;
}

function FormDialog(props: FormDialogProps): JSX.Element {
  const { title, action, fields, onSubmit, onClose, derive = (): Record<string, string> => ({}) } = props;
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [error, setError] = useState<string>();
  const first = Object.fromEntries(fields.map(({ name, first: value }) => [name, value]));
  const values = { ...first, ...derive({ ...first, ...typed }), ...typed };
  const submit = async (): Promise<void> => {
    try {
      await onSubmit(values);
      onClose();
    } catch (reason) {
      setError(errorMessage(reason));
    }
  };
  const form = 'page-form';
  return (
    <Dialog title={title} size="small" onClose={onClose}>
      <form
        id={form}
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {fields.map(({ name, label, hint }, index) => (
          <Field
            key={name}
            label={label}
            hint={hint}
            required
            error={index === fields.length - 1 ? error : undefined}
          >
            {(ids) => (
              <input
                {...ids}
                type="text"
                class="control"
                autocomplete="off"
                spellcheck={false}
                required
                value={values[name]}
                onInput={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
              />
            )}
          </Field>
        ))}
        <div class="row">
          <Button kind="primary" submit>
            {action}
          </Button>
          <Button onPress={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}

const slug = (title: string): string =>
  (title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-').slice(0, 60);

const pathHint = 'Relative to the folder and without .md, such as guides/start. Missing folders are created.';

export const NewPageDialog = ({ space, onClose }: { space: string; onClose: () => void }): JSX.Element => (
  <FormDialog
    title="New page"
    action="Create"
    fields={[
      { name: 'title', label: 'Title', first: '' },
      { name: 'path', label: 'Path', hint: pathHint, first: '' },
    ]}
    derive={({ title = '' }) => ({ path: slug(title) })}
    onSubmit={async ({ title = '', path = '' }) => {
      const { id } = await api('POST /content/page', { space, title, path });
      go({ view: 'pages', space, page: id });
    }}
    onClose={onClose}
  />
);

export const RenamePageDialog = ({
  page,
  onClose,
}: {
  page: PageResource;
  onClose: () => void;
}): JSX.Element => (
  <FormDialog
    title="Rename or move"
    action="Move"
    fields={[{ name: 'path', label: 'Path', hint: pathHint, first: page.path }]}
    onSubmit={async ({ path = '' }) => {
      await api('POST /content/page/move', { space: page.space, page: page.id, path });
    }}
    onClose={onClose}
  />
);

export const DeletePageDialog = (props: {
  page: PageResource;
  onClose: () => void;
  onDelete: () => void;
}): JSX.Element => (
  <ConfirmDialog
    title={`Delete ${props.page.title}?`}
    action="Delete the file"
    danger
    onClose={props.onClose}
    onConfirm={props.onDelete}
  >
    <p>
      This deletes <code class="wrap-anywhere">{props.page.file}</code> from the disk. If it wasn't committed,
      it can't be restored.
    </p>
  </ConfirmDialog>
);
