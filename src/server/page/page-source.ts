import type { StaticOverride, StaticFile } from '../http/response/static-files.ts'
import type { Page } from '../http/http-options.ts'
import type { Records, SettingsStore, LoginMethodSettings } from '../records/port.ts'
import type { Settings } from '../../shared/contract/setting-fields.ts'
import { readBrandingFile, findBrandingFiles, type BrandingFiles } from './branding-folder.ts'
import { pageConfiguration, type PageOptions } from './page-configuration.ts'
import { renderPage } from './render-page.ts'
import { manifestName, webManifest } from './web-manifest.ts'

export type PageDependencies = {
  readonly records: Pick<Records, 'version'> & { readonly settings: Pick<SettingsStore, 'get' | 'signIn'> }
  /** The template of the page, from the built client. */
  readonly template: string
  readonly basePath: string
  readonly version: string
  readonly server: Pick<PageOptions, 'enableThumbs' | 'resizePreview' | 'enableExec'>
  readonly onFault: (error: unknown) => void
  readonly nowMs: () => number
}

/**
 * The age in milliseconds after which the branding files are read again. It also applies to the settings when the
 * database cannot report their version.
 */
const freshMs = 1000

/** The source of the page and of the files that branding replaces. */
export type PageSource = {
  readonly page: () => Promise<Page>
  /** The web manifest and the files of the branding folder, which take precedence over the files of the build. */
  readonly staticOverride: StaticOverride
  /** Must be called when this process has changed a setting, so that the next page contains the change. */
  readonly refresh: () => Promise<void>
}

/**
 * Creates the source of the current page. The page is rendered once, and again when the settings or its branding files
 * have changed; a request after a change waits for the new page. When the settings or files cannot be read, the page
 * stays unchanged.
 */
export async function createPageSource(dependencies: PageDependencies): Promise<PageSource> {
  let asOf = currentVersion(dependencies)
  let inputs = await readInputs(dependencies)
  let rendered = render(dependencies, inputs)
  let reads = 0
  let newestRead = 0
  let reading: Promise<void> = Promise.resolve()

  async function refresh(): Promise<void> {
    asOf = currentVersion(dependencies)
    const mine = (reads += 1)
    const now = await readInputs(dependencies)
    // A refresh that started later has already finished and has newer inputs.
    if (mine < newestRead) return
    newestRead = mine
    if (JSON.stringify(now) === JSON.stringify(inputs)) return
    inputs = now
    rendered = render(dependencies, inputs)
  }

  function isOld(): boolean {
    const { version, atMs } = currentVersion(dependencies)
    return version !== asOf.version || atMs - asOf.atMs > freshMs
  }

  /** Waits until the page is current. Concurrent requests share one refresh. */
  async function untilFresh(): Promise<void> {
    try {
      if (isOld()) reading = refresh().catch(dependencies.onFault)
    } catch (error) {
      dependencies.onFault(error)
    }
    await reading
  }

  return {
    refresh,
    async page() {
      await untilFresh()
      return rendered.page
    },
    async staticOverride(rest) {
      await untilFresh()
      return rest === manifestName ? rendered.manifest : readBrandingFile(inputs.folder, rest)
    },
  }
}

/**
 * The version of the settings that were read, and the time of reading. The version is null when the database cannot
 * report it.
 */
type SettingsVersion = { readonly version: number | null; readonly atMs: number }

const currentVersion = ({ records, nowMs }: PageDependencies): SettingsVersion => ({
  version: records.version?.() ?? null,
  atMs: nowMs(),
})

/** The data from which the page and the manifest are rendered. */
type PageInputs = { readonly options: PageOptions; readonly folder: string; readonly branding: BrandingFiles }

async function readInputs(dependencies: PageDependencies): Promise<PageInputs> {
  const settings = await dependencies.records.settings.get()
  const { recaptcha } = await dependencies.records.settings.signIn()
  const folder = settings.branding.files
  return {
    options: optionsOf(dependencies, settings, recaptcha),
    folder,
    branding: await findBrandingFiles(folder),
  }
}

function render(
  { template }: PageDependencies,
  { options, branding }: PageInputs,
): { page: Page; manifest: StaticFile } {
  const configuration = pageConfiguration({ ...options, hasCss: branding.hasStyle })
  return {
    page: renderPage(template, configuration, branding.icons),
    manifest: webManifest(configuration, branding.icons),
  }
}

const optionsOf = (
  { basePath, version, server }: PageDependencies,
  settings: Settings,
  captcha: LoginMethodSettings['recaptcha'],
): PageOptions => ({
  ...server,
  basePath,
  version,
  authMethod: settings.authMethod,
  name: settings.branding.name,
  color: settings.branding.color,
  theme: settings.branding.theme,
  disableExternal: settings.branding.disableExternal,
  disableUsedPercentage: settings.branding.disableUsedPercentage,
  reportIssueURL: settings.branding.reportIssueURL,
  signup: settings.signup,
  hideLoginButton: settings.hideLoginButton,
  logoutPage: settings.logoutPage,
  tus: settings.tus,
  ...(captcha === null ? {} : { captcha }),
})
