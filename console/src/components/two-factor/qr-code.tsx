import encodeQR from 'qr'

/** Black on white in every theme: cameras expect it. Loaded only where a code is shown. */
export default function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 })
  const squares = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg className="qr-code" viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <path className="qr-ground" d={`M0 0h${rows.length}v${rows.length}H0z`} />
      <path className="qr-ink" d={squares.join('')} />
    </svg>
  )
}
