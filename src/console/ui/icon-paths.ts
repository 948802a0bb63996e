/** Paths on a 16 × 16 grid, with a stroke width of 1.5. */
export const paths = {
  overview: 'M2.5 3.5h4v4h-4zM9.5 3.5h4v3h-4zM2.5 10.5h4v2h-4zM9.5 9.5h4v3h-4z',
  configuration:
    'M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 2.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4M6 9.8a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.4',
  pages: 'M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3M5.5 8.5h5M5.5 11h3.5',
  blocks: 'M8 1.8 13.5 5v6L8 14.2 2.5 11V5zM2.5 5 8 8.2 13.5 5M8 8.2v6',
  calls: 'M2 8h2.5l2-5 3 10 2-5H14',
  webhooks:
    'M6.2 6.6 3.7 11M6.2 6.6a2.6 2.6 0 1 1 4-1.9M9.8 9.4a2.6 2.6 0 1 1-.6 3.6M8 4.7l2.4 4.4M6.3 12.2h3M6.4 12.2a2.6 2.6 0 1 1-2.7-1.2',
  listing:
    'M2.5 6.5 3.6 2.8h8.8l1.1 3.7M2.5 6.5a1.8 1.8 0 0 0 3.6 0 1.8 1.8 0 0 0 3.7 0 1.8 1.8 0 0 0 3.7 0M3.4 8.6v4.6h9.2V8.6',
  copy: 'M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2',
  check: 'm3 8.5 3.2 3.2L13 5',
  cross: 'm4 4 8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  minus: 'M3 8h10',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.4 10.4l3.1 3.1',
  power: 'M8 2v5.5M4.8 4.4a4.8 4.8 0 1 0 6.4 0',
  play: 'M5 3.2 12.5 8 5 12.8z',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  replay: 'M3 8a5 5 0 1 0 1.6-3.7L3 5.8M3 2.5v3.3h3.3',
  record: 'M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8M8 7.4v1.2',
  send: 'M2.5 8 13.5 2.8 10.8 13.2 7.6 9.4zM7.6 9.4l5.9-6.6',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  link: 'M6.8 9.2a2.5 2.5 0 0 0 3.6 0l2.2-2.2A2.5 2.5 0 0 0 9 3.4L8 4.4M9.2 6.8a2.5 2.5 0 0 0-3.6 0L3.4 9A2.5 2.5 0 0 0 7 12.6l1-1',
  external: 'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M11.5 9v4.5h-9v-9H7',
  down: 'm4 6 4 4 4-4',
  right: 'm6 4 4 4-4 4',
  left: 'm10 4-4 4 4 4',
  sun: 'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6M8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  moon: 'M13.2 9.6A5.6 5.6 0 1 1 6.4 2.8a4.6 4.6 0 0 0 6.8 6.8z',
  screen: 'M2 3h12v8H2zM5.5 13.5h5',
  warning: 'M8 2.2 14.4 13H1.6zM8 6.5v3M8 11.3v.1',
  error: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 5v3.5M8 10.8v.1',
  info: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 7.5V11M8 5.2v.1',
  key: 'M10.5 2.5a3 3 0 1 1-2.6 4.5L2.5 12.4v1.1h2v-1.5H6v-1.5h1.5L8.6 8.6',
  clock: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M8 4.8V8l2.2 1.6',
  skip: 'M3.5 3.5 9.5 8l-6 4.5zM12.5 3.5v9',
  edit: 'm10.5 3 2.5 2.5-7.5 7.5H3v-2.5zM9 4.5 11.5 7',
  code: 'm5.5 4.5-3 3.5 3 3.5M10.5 4.5l3 3.5-3 3.5',
  terminal: 'm3 5 3 3-3 3M8 11.5h5',
  keyboard: 'M1.8 4h12.4v8H1.8zM4.3 6.7h.1M7 6.7h.1M9.7 6.7h.1M12 6.7h.1M4.5 9.5h7',
  image: 'M2.5 3h11v10h-11zM2.5 10.5l3-3 3 3 2-2 3 3M10.2 6h.1',
  globe: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M2 8h12M8 2c4 4 4 8 0 12M8 2c-4 4-4 8 0 12',
  shield: 'M8 2l5 2v4c0 3-2 5-5 6-3-1-5-3-5-6V4z',
  gear: 'M8 5.8a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4M8 1.8v1.6M8 12.6v1.6M1.8 8h1.6M12.6 8h1.6M3.6 3.6l1.1 1.1M11.3 11.3l1.1 1.1M3.6 12.4l1.1-1.1M11.3 4.7l1.1-1.1',
  star: 'm8 2.2 1.8 3.7 4 .5-3 2.8.8 4L8 11.2l-3.6 2 .8-4-3-2.8 4-.5z',
  more: 'M3.5 8h.1M8 8h.1M12.5 8h.1',
  filter: 'M2 4h12M4.5 8h7M6.5 12h3',
  maximize: 'M6 2.5H2.5V6M10 2.5h3.5V6M6 13.5H2.5V10M10 13.5h3.5V10',
  github:
    'M6.2 13.8v-2.3c-2 .5-2.6-.9-3.4-1.5M9.8 13.8v-2.4c0-.6-.2-1-.5-1.3 2.2-.3 3.9-1.1 3.9-3.7 0-.8-.3-1.5-.8-2.1.2-.6.2-1.3-.1-2-.8-.1-1.6.4-2.3.9a8 8 0 0 0-4 0c-.7-.5-1.5-1-2.3-.9-.3.7-.3 1.4-.1 2-.5.6-.8 1.3-.8 2.1 0 2.6 1.7 3.4 3.9 3.7-.3.3-.5.7-.5 1.3',
  gitlab: 'M8 13.6 2.2 9.2 4 2.8l1.8 4h4.4l1.8-4 1.8 6.4zM5.8 6.8 8 13.6l2.2-6.8',
  email: 'M2 3.5h12v9H2zM2.3 4l5.7 4.6L13.7 4',
  eye: 'M1.6 8C3 5.3 5.3 3.8 8 3.8S13 5.3 14.4 8C13 10.7 10.7 12.2 8 12.2S3 10.7 1.6 8M8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6',
  'eye-off':
    'M2.5 2.5l11 11M6.2 4.1A6.7 6.7 0 0 1 8 3.8c2.7 0 5 1.5 6.4 4.2a9.5 9.5 0 0 1-1.8 2.4M10.3 11.8a6.5 6.5 0 0 1-2.3.4C5.3 12.2 3 10.7 1.6 8c.6-1.2 1.5-2.2 2.5-2.9',
  file: 'M3.5 2.5h6l3 3v8h-9zM9.5 2.5v3h3',
  download: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10',
  lock: 'M3.5 7.2h9v6.3h-9zM5.5 7.2V5a2.5 2.5 0 0 1 5 0v2.2',
  'check-circle': 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2M5.5 8.2l1.8 1.8 3.3-3.6',
} as const;

export type IconName = keyof typeof paths;

/** SDK icon names that differ from the names here. */
const otherNames: Readonly<Record<string, IconName>> = {
  close: 'cross',
  delete: 'trash',
  'link-external': 'external',
  mailchimp: 'email',
  settings: 'gear',
};

/** Returns the icon for an SDK name, if there is one. */
export function iconFor(name: string): IconName | undefined {
  if (Object.hasOwn(paths, name)) return name as IconName;
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined;
}
