import type { NativeFormat } from '../domain/native-formats.ts'

/**
 * The configuration of the client, which the page contains in `<script type="application/json" id="config">`. Contract
 * 13.1 describes every key.
 */
export type PageConfiguration = {
  readonly Name: string
  readonly DisableExternal: boolean
  readonly DisableUsedPercentage: boolean
  readonly Color: string
  readonly BaseURL: string
  readonly StaticURL: string
  readonly Version: string
  readonly Signup: boolean
  readonly NoAuth: boolean
  readonly AuthMethod: string
  readonly LogoutPage: string
  readonly LoginPage: boolean
  readonly CSS: boolean
  readonly ReCaptcha: boolean
  readonly ReCaptchaHost?: string
  readonly ReCaptchaKey?: string
  readonly Theme: '' | 'light' | 'dark'
  /** The language of guests and of the login, where the browser wants no language that the client has. Empty for English. */
  readonly Locale: string
  readonly EnableThumbs: boolean
  readonly ResizePreview: boolean
  readonly EnableExec: boolean
  readonly TusSettings?: { readonly chunkSize: number; readonly retryCount: number }
  readonly HideLoginButton: boolean
  readonly ReportIssueURL: string
  /** The minimum length of new passwords in characters. Signup shows it before a password is sent. 0 for no minimum. */
  readonly MinimumPasswordLength: number
  /**
   * The features of the server that go beyond the specification. The client also works with a server that has none of
   * these features.
   */
  readonly Features: readonly ServerFeature[]
  /** The formats of archives that this server cannot pack, because a package does not run on its machine. */
  readonly MissingFormats?: readonly NativeFormat[]
}

export type ServerFeature = 'rows' | 'events' | 'sessions' | 'du' | 'archive' | 'remux' | PosterFeature

/**
 * The server makes a picture of these files when the client asks for a preview with `poster=true`: of all videos, of PDF
 * files, or of images with this extension.
 */
export type PosterFeature = `poster-${'video' | 'pdf' | PosterExtension}`

/** The extensions of images that the server converts only on demand, in lower case. */
export type PosterExtension = 'heic' | 'heif' | 'hif' | 'dng' | 'cr2' | 'nef' | 'arw' | 'raf' | 'rw2'
