/** Drawn on 24 x 24 with a pen of 1.8; one word per meaning, not per picture. */
const strokes = {
  alert: 'M12 4 2.8 20h18.4zM12 10v4.5M12 17.4v.1',
  analytics: 'M4 20V4M4 20h16M8.5 16v-4M13 16V8M17.5 16v-6',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  ban: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM5.7 5.7l12.6 12.6',
  bell: 'M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15zM10 21h4',
  bellOff: 'M6 16.5V11a6 6 0 0 1 9.5-4.9M18 11v5.5l1.5 2h-15M10 21h4M4 4l16 16',
  book: 'M5 4.5h11a3 3 0 0 1 3 3V20H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11',
  channel:
    'M12 13.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM12 13.5V21M8.1 15.9a5.5 5.5 0 0 1 0-7.8M15.9 8.1a5.5 5.5 0 0 1 0 7.8M5.3 18.7a9.5 9.5 0 0 1 0-13.4M18.7 5.3a9.5 9.5 0 0 1 0 13.4',
  chat: 'M4 4.5h12v8.5H9l-3.5 3v-3H4zM9.5 16h5.5l3.5 3v-3H20V8h-1',
  check: 'm4.5 12.5 5 5 10-11',
  checks: 'm2 13 4.5 4.5L16 7M11 16l1.5 1.5L22 7',
  chevron: 'm9 6 6 6-6 6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5.2l3.4 2',
  clip: 'M20 11.5 12 19.5a5 5 0 0 1-7-7l8.5-8.5a3.4 3.4 0 0 1 4.8 4.8L9.8 17.3a1.7 1.7 0 0 1-2.4-2.4l7.4-7.4',
  close: 'M6 6l12 12M18 6 6 18',
  coins:
    'M9 11.5c3.3 0 6-1.3 6-3s-2.7-3-6-3-6 1.3-6 3 2.7 3 6 3ZM3 8.5V13c0 1.7 2.7 3 6 3M15 8.5V11M15 18.5c3.3 0 6-1.3 6-3s-2.7-3-6-3-6 1.3-6 3 2.7 3 6 3ZM9 15.5V17c0 1.7 2.7 3 6 3s6-1.3 6-3v-1.5',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  dots: 'M12 5a.6.6 0 1 0 .01 0ZM12 11.4a.6.6 0 1 0 .01 0ZM12 17.8a.6.6 0 1 0 .01 0Z',
  gate: 'M6 21V11a6 6 0 0 1 12 0v10zM3 21h18M14.5 14v.1',
  down: 'M12 4v13M6 11.5l6 6 6-6',
  download: 'M12 4v11M7 10.5l5 5 5-5M5 20h14',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12ZM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  fold: 'M4 5h16v14H4zM9.5 5v14',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.3 9.3a2.8 2.8 0 1 1 3.9 2.9c-.9.4-1.2 1-1.2 1.8M12 17v.1',
  home: 'm3.5 11 8.5-7 8.5 7M6 9.5V20h12V9.5',
  info: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 11v5.5M12 7.6v.1',
  key: 'M8 19a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM11.2 11.3 19.5 3M16 6.5l3 3M19.5 3l1.5 1.5',
  link: 'M10 14a4 4 0 0 0 5.7 0l3.1-3.1a4 4 0 0 0-5.7-5.7L12 6.3M14 10a4 4 0 0 0-5.7 0l-3.1 3.1a4 4 0 0 0 5.7 5.7l1.1-1.1',
  list: 'M8.5 6H20M8.5 12H20M8.5 18H20M4 6v.1M4 12v.1M4 18v.1',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  megaphone: 'M4 10v4h3l8 4.5v-13L7 10zM7 14l1.5 5.5H11L9.8 15.4M18 9.5a4 4 0 0 1 0 5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  message: 'M4 5h16v11H10l-5 4v-4H4z',
  monitor: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
  moon: 'M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7Z',
  out: 'M14 4H5v16h9M10 12h10M16.5 8.5 20 12l-3.5 3.5',
  pause: 'M8.5 5v14M15.5 5v14',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 5a3.3 3.3 0 0 1 0 6.4M18 14.6a6 6 0 0 1 3.5 5.4',
  phone: 'M7.5 2.5h9v19h-9zM11 18.5h2',
  pin: 'M12 21.5s-6.5-6-6.5-11.5a6.5 6.5 0 0 1 13 0c0 5.5-6.5 11.5-6.5 11.5ZM12 12.4a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8Z',
  play: 'M7 4.5 19 12 7 19.5z',
  plus: 'M12 5v14M5 12h14',
  reply: 'M10 8V4l-7 7 7 7v-4c5 0 8 1.5 11 5-1-6.5-4-11-11-11',
  smile: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8.5 14a4 4 0 0 0 7 0M9 9.5v.1M15 9.5v.1',
  refresh: 'M20 11a8 8 0 0 0-14.3-4L4 9M4 4v5h5M4 13a8 8 0 0 0 14.3 4l1.7-2M20 20v-5h-5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l4.5 4.5',
  settings:
    'M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM12 2.8v3M12 18.2v3M2.8 12h3M18.2 12h3M5.5 5.5l2.1 2.1M16.4 16.4l2.1 2.1M5.5 18.5l2.1-2.1M16.4 7.6l2.1-2.1',
  shield: 'M12 3 5 6v5.5c0 4.4 2.9 7.9 7 9.5 4.1-1.6 7-5.1 7-9.5V6z',
  sun: 'M12 16.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M4.9 4.9l1.8 1.8M17.3 17.3l1.8 1.8M4.9 19.1l1.8-1.8M17.3 6.7l1.8-1.8',
  template: 'M5 4h14v16H5zM8.5 8.5h7M8.5 12h7M8.5 15.5h4',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5a7.5 7.5 0 0 1 15 0',
  webhook:
    'M7 17.5a3 3 0 1 1-2.6-4.5M7 17.5h8M15 17.5a3 3 0 1 0 1.6-5.6M12 8.5l-4.2 7M12 8.5l3.4 5.6M12 8.5a2.6 2.6 0 1 0-2.4-1.6',
} as const

export type IconName = keyof typeof strokes

/** Decorative: the word beside it says the same. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={strokes[name]} />
    </svg>
  )
}

export function Mark({ size = 26 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0b6b5d" />
      <path d="M9 25V15a7 7 0 0 1 14 0v10z" fill="#fff" />
      <path d="M13 25v-9a3 3 0 0 1 6 0v9z" fill="#0b6b5d" />
    </svg>
  )
}
