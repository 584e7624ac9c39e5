import type { FileResource } from '../../../shared/contract/resources.ts'
import type { Path } from '../../../shared/domain/path.ts'

/** What the viewer of a kind of files gets. */
export type ViewerProps = {
  readonly path: Path
  readonly file: FileResource
  /** Called when the browser cannot show the file. */
  readonly onBroken: () => void
}
