import type { FileRenderingProps, TextRenderingProps } from '../text-renderings.ts'
import { JsonView } from './json-view.tsx'

/** Shows the text of an editor as a tree. */
export const TreePage = ({ name, text }: TextRenderingProps) => (
  <JsonView name={name} source={{ kind: 'text', value: text }} onBroken={null} />
)

/** Shows a file as a tree. The worker reads the file itself. */
export const TreeFile = ({ file, onBroken }: FileRenderingProps) => (
  <JsonView name={file.name} source={{ kind: 'address', value: file.address }} onBroken={onBroken} />
)
