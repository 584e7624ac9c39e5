import { createHash } from 'node:crypto'
import type { StaticOverrideFinder, StaticFile } from '../http/response/static-files.ts'
import type { RenderedPage } from '../http/http-options.ts'
import type { ServerRecords } from '../records/port.ts'
import type { SettingsStore, LoginMethodSettings, Logo } from '../records/settings.ts'
import type { NativeFormat } from '../../shared/domain/native-formats.ts'
import type { Settings } from '../../shared/contract/setting-fields.ts'
import { accentStyle, accentStyleName } from './accent-style.ts'
import { readBrandingFile, findBrandingFiles, type BrandingFiles } from './branding-folder.ts'
import { pageConfiguration, type PageOptions } from './page-configuration.ts'
import { renderPage } from './render-page.ts'
import { manifestName, webManifest } from './web-manifest.ts'

export type PageDependencies = {
  readonly records: Pick<ServerRecords, 'version'> & {
    readonly settings: Pick<SettingsStore, 'get' | 'signIn' | 'logo'>
  }
  /** The template of the page, from the built client. */
  readonly template: string
  readonly basePath: string
  /** The pages that may show this page in a frame. */
  readonly frameAncestors: readonly string[]
  readonly version: string
  readonly server: Pick<PageOptions, 'enableThumbs' | 'resizePreview' | 'enableExec' | 'programFeatures'>
  /** Returns the formats of archives that are known to be missing. `refresh` must be called when the result has changed. */
  readonly missingFormats: () => readonly NativeFormat[]
  readonly onFault: (error: unknown) => void
  readonly nowMs: () => number
}

/**
 * The age in milliseconds after which the branding files are read again. The limit also applies to the settings when
 * the database does not provide a version number.
 */
const maxAgeMs = 1000

/** Provides the current page and the files that replace files of the client build. */
export type PageSource = {
  readonly page: () => Promise<RenderedPage>
  /** Finds the web manifest and the files of the branding folder, which replace files of the client build. */
  readonly staticOverride: StaticOverrideFinder
  /** Must be called when this process has changed a setting. Resolves when the page contains the change. */
  readonly refresh: () => Promise<void>
}

/**
 * Creates the page source. The page is rendered at the start, and again when the settings or the branding files have
 * changed. A request after a change waits for the new page. When the settings or files cannot be read, the page stays
 * unchanged.
 */
export async function createPageSource(dependencies: PageDependencies): Promise<PageSource> {
  let shownVersion = currentVersion(dependencies)
  let inputs = await readInputs(dependencies)
  let rendered = render(dependencies, inputs)
  let reads = 0
  let newestRead = 0
  let pendingRefresh: Promise<void> = Promise.resolve()

  async function refresh(): Promise<void> {
    shownVersion = currentVersion(dependencies)
    const thisRead = (reads += 1)
    const current = await readInputs(dependencies)
    // A refresh that started later has already finished and has newer inputs.
    if (thisRead < newestRead) return
    newestRead = thisRead
    if (JSON.stringify(current) === JSON.stringify(inputs)) return
    inputs = current
    rendered = render(dependencies, inputs)
  }

  function isStale(): boolean {
    const { version, atMs } = currentVersion(dependencies)
    return version !== shownVersion.version || atMs - shownVersion.atMs > maxAgeMs
  }

  /** Waits until the page is current. Concurrent requests share one refresh. */
  async function waitUntilCurrent(): Promise<void> {
    try {
      if (isStale()) pendingRefresh = refresh().catch(dependencies.onFault)
    } catch (error) {
      dependencies.onFault(error)
    }
    await pendingRefresh
  }

  return {
    refresh,
    async page() {
      await waitUntilCurrent()
      return rendered.page
    },
    async staticOverride(rest) {
      await waitUntilCurrent()
      if (rest === manifestName) return rendered.manifest
      if (rest === accentStyleName) return rendered.accent
      if (rest === logoName && inputs.logo !== null) return logoFile(inputs.logo)
      return readBrandingFile(inputs.folder, rest)
    },
  }
}

/**
 * The database version and the time of a read of the settings. `version` is null when the database does not provide a
 * version number.
 */
type SettingsVersion = { readonly version: number | null; readonly atMs: number }

const currentVersion = ({ records, nowMs }: PageDependencies): SettingsVersion => ({
  version: records.version?.() ?? null,
  atMs: nowMs(),
})

/** The path of the logo below `/static`. Browsers show a picture by its media type, whatever its name ends with. */
const logoName = '/img/logo.svg'

function logoFile({ type, base64 }: Logo): StaticFile {
  const bytes = Buffer.from(base64, 'base64')
  return { bytes, type, etag: createHash('sha256').update(bytes).digest('base64url') }
}

/** The data from which the page and the manifest are rendered. */
type PageInputs = {
  readonly options: PageOptions
  readonly folder: string
  readonly branding: BrandingFiles
  readonly accent: string
  readonly logo: Logo | null
}

async function readInputs(dependencies: PageDependencies): Promise<PageInputs> {
  const settings = await dependencies.records.settings.get()
  const { recaptcha } = await dependencies.records.settings.signIn()
  const folder = settings.branding.files
  return {
    options: optionsOf(dependencies, settings, recaptcha),
    folder,
    branding: await findBrandingFiles(folder),
    accent: settings.branding.accent,
    logo: await dependencies.records.settings.logo(),
  }
}

function render(
  { template, frameAncestors }: PageDependencies,
  { options, branding, accent }: PageInputs,
): { page: RenderedPage; manifest: StaticFile; accent: StaticFile | null } {
  const configuration = pageConfiguration({ ...options, hasCss: branding.hasStyle })
  const style = accentStyle(accent)
  return {
    accent: style,
    page: renderPage(template, configuration, {
      brandingIcons: branding.icons,
      frameAncestors,
      hasAccent: style !== null,
    }),
    manifest: webManifest(configuration, branding.icons),
  }
}

const optionsOf = (
  { basePath, version, server, missingFormats }: PageDependencies,
  settings: Settings,
  captcha: LoginMethodSettings['recaptcha'],
): PageOptions => ({
  ...server,
  missingFormats: missingFormats(),
  basePath,
  version,
  authMethod: settings.authMethod,
  name: settings.branding.name,
  color: settings.branding.color,
  theme: settings.branding.theme,
  locale: settings.defaults.locale,
  disableExternal: settings.branding.disableExternal,
  disableUsedPercentage: settings.branding.disableUsedPercentage,
  reportIssueURL: settings.branding.reportIssueURL,
  minimumPasswordLength: settings.minimumPasswordLength,
  signup: settings.signup,
  hideLoginButton: settings.hideLoginButton,
  logoutPage: settings.logoutPage,
  tus: settings.tus,
  ...(captcha === null ? {} : { captcha }),
})
