import type { Feature, PageConfiguration } from '../../shared/contract/page.ts'

/** What this server can do beyond the specification. */
const features: readonly Feature[] = ['rows', 'events', 'sessions']

/** What an installation says about itself; everything that is left out has the value of a fresh one. */
export type PageFacts = {
  /** Without a slash at its end; empty for none. */
  readonly basePath: string
  readonly version: string
  readonly authMethod: string
  readonly name?: string
  readonly color?: string
  readonly theme?: '' | 'light' | 'dark'
  readonly disableExternal?: boolean
  readonly disableUsedPercentage?: boolean
  readonly signup?: boolean
  readonly hideLoginButton?: boolean
  readonly logoutPage?: string
  readonly reportIssueURL?: string
  readonly enableThumbs?: boolean
  readonly resizePreview?: boolean
  readonly enableExec?: boolean
  readonly hasCss?: boolean
  /** The record of the challenge at login; its secret stays here. */
  readonly captcha?: { readonly host: string; readonly key: string; readonly secret: string }
  readonly tus?: { readonly chunkSize: number; readonly retryCount: number }
}

/** Every key that clients read (contract 13.1). Never a key, a secret, a root or an address of the server. */
export function pageConfiguration(facts: PageFacts): PageConfiguration {
  const logoutPage = facts.logoutPage ?? '/login'
  const isWithoutLogin = facts.authMethod === 'noauth'
  return {
    Name: facts.name ?? '',
    DisableExternal: facts.disableExternal ?? false,
    DisableUsedPercentage: facts.disableUsedPercentage ?? false,
    Color: facts.color ?? '',
    BaseURL: facts.basePath,
    StaticURL: `${facts.basePath}/static`,
    Version: facts.version,
    Signup: facts.signup ?? false,
    NoAuth: isWithoutLogin,
    AuthMethod: facts.authMethod,
    LogoutPage: logoutPage,
    LoginPage: facts.authMethod === 'json' || facts.authMethod === 'hook',
    CSS: facts.hasCss ?? false,
    ReCaptcha: isChallenged(facts),
    ...(facts.captcha === undefined
      ? {}
      : { ReCaptchaHost: facts.captcha.host, ReCaptchaKey: facts.captcha.key }),
    Theme: facts.theme ?? '',
    EnableThumbs: facts.enableThumbs ?? true,
    ResizePreview: facts.resizePreview ?? true,
    EnableExec: facts.enableExec ?? false,
    ...(facts.tus === undefined ? {} : { TusSettings: facts.tus }),
    HideLoginButton: facts.hideLoginButton ?? false,
    ReportIssueURL: facts.reportIssueURL ?? '',
    Features: features,
  }
}

/** The challenge is part of logging in by password. */
const isChallenged = ({ authMethod, captcha }: PageFacts): boolean =>
  authMethod === 'json' && captcha !== undefined && captcha.key !== '' && captcha.secret !== ''
