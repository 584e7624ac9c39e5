import { lazyModule } from '../../state/parts/lazy-part.ts'

/** The parts of a shared folder that it needs only after its first rows: its pictures, and the choices of its views. */
export const folderAfterRows = lazyModule(
  async () => (await import('./pictures/shared-pictures.ts')).sharedPictures,
)
