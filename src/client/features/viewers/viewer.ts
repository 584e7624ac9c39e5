import type { FileType } from '../../../shared/domain/file-types.ts'
import type { ImageSize } from '../../../shared/photos/image-size.ts'
import type { Path } from '../../../shared/domain/path.ts'

/** A file as a viewer sees it, wherever its bytes come from: the user's folders, a shared link, or an archive. */
export type ViewedFile = {
  readonly name: string
  readonly sizeBytes: number
  /** The time of the last change, in milliseconds since 1970. */
  readonly modifiedMs: number
  readonly type: FileType
  /** The URL of the bytes. It is on the page's own origin, and needs no header. */
  readonly address: string
  /** The URL of a smaller image that the server makes of an image, or null when it makes none. */
  readonly previewAddress: string | null
  /** The URL of a picture that the server draws of a video, or null when it draws none. */
  readonly posterAddress: string | null
  /**
   * The URL of parts that the server makes of a video or sound for browsers that cannot play the file, to which a time in
   * seconds is added. Null when the server makes none.
   */
  readonly remuxAddress: string | null
  /** The size of an image as it is stored, before its orientation is applied, where the server has sent the size. */
  readonly resolution?: ImageSize | undefined
  /** The subtitles of a video as WebVTT. */
  readonly subtitles: readonly Subtitle[]
  /** Differs for every file and for every version of it. Viewers remember positions under this key. */
  readonly versionKey: string
}

/** A subtitle file beside a video: its name, and the URL of its content as WebVTT. */
export type Subtitle = { readonly name: string; readonly address: string }

/** Another file of the folder, which a viewer may offer to open, such as the next song. */
export type Neighbour = {
  readonly name: string
  readonly type: FileType
  readonly isOpen: boolean
  readonly open: () => void
}

/** The properties that every viewer receives. */
export type ViewerProps = {
  readonly file: ViewedFile
  /** The path in the user's scope. Null for a file that is reached in another way, such as a shared link. */
  readonly path: Path | null
  /** The files of these types in the folder of the file, in the order of the listing. The list is empty while it is loaded. */
  readonly neighboursOf: (types: ReadonlySet<FileType>) => readonly Neighbour[]
  /** True in the quick look above a listing, where the keys of the listing keep their meaning. */
  readonly isQuick: boolean
  /** Called when the browser cannot show the file, with a sentence that says why where the reason is known. */
  readonly onBroken: (reason?: string) => void
}
