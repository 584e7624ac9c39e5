import { statSync } from 'node:fs'

/** Returns a warning when the folder of the branding files does not exist; the page then has its own look. */
export function brandingWarnings(folder: string): readonly string[] {
  if (folder === '' || statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return []
  return [`branding.files: there is no folder ${folder}, so its logo and styles are not used`]
}
