import { encode } from 'uqr'

type QrCodeProps = {
  readonly text: string
  /** The accessible name of the picture. */
  readonly label: string
  readonly className?: string | undefined
}

/** Width of the empty border that the standard (ISO/IEC 18004) asks for around the code, in squares. */
const border = 4

/**
 * Draws a QR code as one path of black squares on white, in both themes, because many cameras do not read light
 * squares on a dark background.
 */
export function QrCode({ text, label, className }: QrCodeProps) {
  const { data, size } = encode(text, { ecc: 'M', border })
  const squares = data
    .flatMap((row, y) => row.map((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      role="img"
      aria-label={label}
      className={className}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={squares} fill="#000" />
    </svg>
  )
}
