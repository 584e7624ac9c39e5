import { hasExtension } from './image-names.ts'
import type { ViewedFile } from './viewer.ts'

/** Returns true for a picture, a film or a comic, which covers the whole screen. Documents are shown within the page. */
export const coversScreen = ({ type, name }: Pick<ViewedFile, 'type' | 'name'>): boolean =>
  type === 'image' || type === 'video' || (type === 'blob' && hasExtension(name, ['cbz']))
