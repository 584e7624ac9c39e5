import type { ServerFeature, PageConfiguration } from '../../shared/contract/page.ts'

/** The default configuration: a server at the root path without optional features. */
const plain: PageConfiguration = {
  Name: '',
  DisableExternal: false,
  DisableUsedPercentage: true,
  Color: '',
  BaseURL: '',
  StaticURL: '/static',
  Version: '',
  Signup: false,
  NoAuth: false,
  AuthMethod: 'json',
  LogoutPage: '/login',
  LoginPage: true,
  CSS: false,
  ReCaptcha: false,
  Theme: '',
  Locale: '',
  EnableThumbs: false,
  ResizePreview: false,
  EnableExec: false,
  HideLoginButton: false,
  ReportIssueURL: '',
  MinimumPasswordLength: 0,
  Features: [],
}

let read: PageConfiguration | undefined

/**
 * Returns the configuration that the server wrote into the page. Missing keys get the defaults of the specification.
 */
export function config(): PageConfiguration {
  read ??= { ...plain, ...parse(textOfPage()) }
  return read
}

/** Returns true when the server announces an optional feature that is not part of the specification. */
export const offers = (feature: ServerFeature): boolean => config().Features.includes(feature)

/** Returns true when guests may create an account, and can log in with its password afterwards. */
export const mayGuestsSignUp = (): boolean => config().Signup && config().LoginPage

/** Returns the name of the instance that the user sees: the configured name, or `Stowage` when none is configured. */
export const instanceName = (): string => config().Name || 'Stowage'

/**
 * Reads the JSON text of the configuration from the page. Returns an empty string where there is no document, as in
 * tests.
 */
const textOfPage = (): string =>
  typeof document === 'undefined' ? '' : (document.querySelector('#config')?.textContent ?? '')

function parse(text: string): Partial<PageConfiguration> {
  try {
    return JSON.parse(text) as Partial<PageConfiguration>
  } catch {
    return {}
  }
}
