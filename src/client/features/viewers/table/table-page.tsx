import type { FileRenderingProps, TextRenderingProps } from '../text-renderings.ts'
import { TableView } from './table-view.tsx'

/** Shows the text of an editor as a table. */
export const TablePage = ({ name, text }: TextRenderingProps) => (
  <TableView name={name} source={{ kind: 'text', value: text }} onBroken={null} />
)

/** Shows a file as a table. The worker reads the file itself, so that the first rows are shown before the whole file has arrived. */
export const TableFile = ({ file, onBroken }: FileRenderingProps) => (
  <TableView name={file.name} source={{ kind: 'address', value: file.address }} onBroken={onBroken} />
)
