import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Config } from '../config/serving-options.ts'
import { createPageSource, type PageSource } from '../page/page-source.ts'
import { templateWithoutClient } from '../page/render-page.ts'
import type { ServerRecords } from '../records/port.ts'
import type { ArchiveModule } from './archives.ts'
import type { PreviewModule } from './previews.ts'

type PageModuleDependencies = {
  readonly config: Config
  readonly records: ServerRecords
  readonly runtime: { readonly nowMs: () => number; readonly version: string }
  readonly onFault: (error: unknown) => void
}

/** The modules that decide what the page offers. */
type PageModules = {
  readonly previews: Pick<PreviewModule, 'features'>
  readonly archives: Pick<ArchiveModule, 'missingFormats'>
}

/** Creates the source of the page, with the features that depend on the programs of this machine. */
export const composePage = (
  { config, runtime, records, onFault }: PageModuleDependencies,
  template: string,
  { previews, archives }: PageModules,
): Promise<PageSource> =>
  createPageSource({
    records,
    template,
    basePath: config.baseURL,
    frameAncestors: config.frameAncestors,
    version: runtime.version,
    server: {
      enableThumbs: !config.disableThumbnails,
      resizePreview: !config.disablePreviewResize,
      enableExec: !config.disableExec,
      programFeatures: previews.features,
    },
    missingFormats: archives.missingFormats.known,
    onFault,
    nowMs: runtime.nowMs,
  })

/** Returns the HTML template of the client, or a plain template when the client has not been built. */
export async function readTemplate(clientFolder: string | null): Promise<string> {
  if (clientFolder === null) return templateWithoutClient
  return readFile(path.join(clientFolder, 'index.html'), 'utf8').catch(() => templateWithoutClient)
}
