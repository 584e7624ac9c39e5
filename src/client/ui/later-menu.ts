import { lazyPart } from '../state/parts/lazy-part.ts'

/** The menu, which is loaded when it is first opened, because it depends on a large library. */
export const Menu = lazyPart(async () => (await import('./menu/menu.tsx')).Menu)
