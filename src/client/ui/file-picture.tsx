import { classNames } from './class-names.ts'
import { glyphs, type Glyph, type GlyphName } from './glyphs/file-glyphs.ts'
import { badgeOf, fileIcon, type FileAppearance } from './glyphs/file-icon.ts'
import styles from './file-picture.module.css'

const page = 'M6.500 2.500h7.200L19.500 8.300v11.200a2 2 0 0 1-2 2h-11a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2z'
const fold = 'M13.500 2.700v4.100a1.700 1.700 0 0 0 1.700 1.700h4.100'
const folder =
  'M2.500 6.500a2 2 0 0 1 2-2h4.300a2 2 0 0 1 1.500.700l1.100 1.300h8.100a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-15a2 2 0 0 1-2-2z'

/** Renders all glyphs once for the page, hidden; `FilePicture` refers to them. */
export const GlyphSprite = () => (
  <svg className={styles.sprite} aria-hidden>
    {Object.entries<Glyph>(glyphs).map(([name, { body, mark }]) => (
      <symbol key={name} id={`glyph-${name}`} viewBox="0 0 24 24">
        {body === 'folder' && <path d={folder} className={styles.folderBody} />}
        {body === 'page' && <path d={page} className={styles.page} />}
        {body === 'page' && <path d={fold} className={styles.line} />}
        {mark !== '' && <path d={mark} className={body === 'folder' ? styles.onFolder : styles.mark} />}
      </symbol>
    ))}
  </svg>
)

type FilePictureProps = FileAppearance & { readonly size?: number; readonly className?: string | undefined }

/** Renders the glyph of an entry in the colour of its kind, hidden from screen readers. `size` is in CSS pixels at the usual text size. */
export function FilePicture({ size = 24, className, ...entry }: FilePictureProps) {
  const name: GlyphName = fileIcon(entry)
  const badge = name === 'unknown' ? badgeOf(entry.name) : ''
  return (
    <svg
      className={classNames(styles.picture, styles[glyphs[name].hue], className)}
      width={`${size / 16}rem`}
      height={`${size / 16}rem`}
      viewBox="0 0 24 24"
      aria-hidden
      focusable={false}
    >
      <use href={`#glyph-${name}`} />
      {badge !== '' && (
        <text x="12" y="17" textAnchor="middle" className={styles.badge}>
          {badge}
        </text>
      )}
      {entry.isLink && !entry.isBroken && (
        <path d="M2 22v-3a3 3 0 0 1 3-3h3m-2.500-2.500L8 16l-2.500 2.500" className={styles.arrow} />
      )}
    </svg>
  )
}
