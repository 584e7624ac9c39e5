import type { FileFormProps, TextFormProps } from '../text-forms.ts'
import { TableView } from './table-view.tsx'

/** Shows the text of an editor as a table. */
export const TablePage = ({ name, text }: TextFormProps) => (
  <TableView name={name} source={{ kind: 'text', value: text }} onBroken={null} />
)

/** Shows a file as a table. The worker reads the file itself, so that the first rows are shown before the whole file has arrived. */
export const TableFile = ({ file, onBroken }: FileFormProps) => (
  <TableView name={file.name} source={{ kind: 'address', value: file.address }} onBroken={onBroken} />
)
