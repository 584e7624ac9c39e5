import styles from './credits.module.css'

type CreditsProps = {
  readonly name: string
  readonly version: string
  readonly isLinkHidden: boolean
  readonly link?: string
}

/** What runs here, and which version of it. */
export function Credits({ name, version, isLinkHidden, link = '' }: CreditsProps) {
  return (
    <p className={styles.credits}>
      {isLinkHidden || link === '' ? (
        <span>{name}</span>
      ) : (
        <a href={link} target="_blank" rel="noopener noreferrer">
          {name}
        </a>
      )}
      {version !== '' && <span className="numbers"> {version}</span>}
    </p>
  )
}
