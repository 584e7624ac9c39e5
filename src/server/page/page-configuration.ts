import type { ServerFeature, PageConfiguration } from '../../shared/contract/page.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { NativeFormat } from '../../shared/domain/native-formats.ts'

/** The features of every server that go beyond the specification. */
const features: readonly ServerFeature[] = ['rows', 'events', 'sessions', 'du', 'archive']

/** The settings that the page contains. A missing setting has its default value. */
export type PageOptions = {
  /** The base path, without a slash at its end. Empty for no base path. */
  readonly basePath: string
  readonly version: string
  readonly authMethod: string
  readonly name?: string
  readonly color?: string
  readonly theme?: '' | 'light' | 'dark'
  readonly locale?: string
  readonly disableExternal?: boolean
  readonly disableUsedPercentage?: boolean
  readonly signup?: boolean
  readonly hideLoginButton?: boolean
  readonly logoutPage?: string
  readonly reportIssueURL?: string
  readonly minimumPasswordLength?: number
  readonly enableThumbs?: boolean
  readonly resizePreview?: boolean
  readonly enableExec?: boolean
  readonly hasCss?: boolean
  /** The features that depend on the programs of this machine. */
  readonly programFeatures?: readonly ServerFeature[]
  readonly missingFormats?: readonly NativeFormat[]
  /** The settings of the login challenge. The secret is never sent. */
  readonly captcha?: { readonly host: string; readonly key: string; readonly secret: string }
  readonly tus?: { readonly chunkSize: number; readonly retryCount: number }
}

/**
 * Creates the configuration with every key that clients read (contract 13.1). The configuration never contains a
 * private key, a secret, the path of a served folder or the network address of the server.
 */
export function pageConfiguration(options: PageOptions): PageConfiguration {
  const logoutPage = options.logoutPage ?? '/login'
  const missingFormats = options.missingFormats ?? []
  const isWithoutLogin = options.authMethod === 'noauth'
  return {
    Name: options.name ?? '',
    DisableExternal: options.disableExternal ?? false,
    DisableUsedPercentage: options.disableUsedPercentage ?? false,
    Color: options.color ?? '',
    BaseURL: options.basePath,
    StaticURL: `${options.basePath}/static`,
    Version: options.version,
    Signup: options.signup ?? false,
    NoAuth: isWithoutLogin,
    AuthMethod: options.authMethod,
    LogoutPage: logoutPage,
    LoginPage: options.authMethod === 'json' || options.authMethod === 'hook',
    CSS: options.hasCss ?? false,
    ReCaptcha: isChallenged(options),
    ...(options.captcha === undefined
      ? {}
      : { ReCaptchaHost: options.captcha.host, ReCaptchaKey: options.captcha.key }),
    Theme: options.theme ?? '',
    Locale: options.locale ?? '',
    EnableThumbs: options.enableThumbs ?? true,
    ResizePreview: options.resizePreview ?? true,
    EnableExec: options.enableExec ?? false,
    ...(options.tus === undefined ? {} : { TusSettings: options.tus }),
    HideLoginButton: options.hideLoginButton ?? false,
    ReportIssueURL: options.reportIssueURL ?? '',
    MinimumPasswordLength: options.minimumPasswordLength ?? limits.minimumPasswordLength,
    Features: [...features, ...(options.programFeatures ?? [])],
    ...(missingFormats.length === 0 ? {} : { MissingFormats: missingFormats }),
  }
}

/** True when the user has to solve a challenge to log in. Only logging in with a password has a challenge. */
const isChallenged = ({ authMethod, captcha }: PageOptions): boolean =>
  authMethod === 'json' && captcha !== undefined && captcha.key !== '' && captcha.secret !== ''
