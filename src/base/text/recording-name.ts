import { belowEndpoint } from './below-endpoint.js';

interface NamedCall {
  id: string;
  type: string;
  request?: { method: string; url: string } | undefined;
  /** The component that was rendered, or the type of the task. */
  part?: string | undefined;
}

const longestSubject = 60;

/** Returns the default name for a recording that starts with this call, such as `post-hook-4k2f9a` or `ui-render-poll`. */
export function recordingName({ id, type, request, part }: NamedCall): string {
  const subject = request
    ? `${request.method} ${belowEndpoint(request.url).replace(/\?.*/, '')}`
    : [type, part].filter((word) => word !== undefined).join('-');
  const words = subject
    .toLowerCase()
    .replaceAll(/(?:%[a-f\d]{2}|[^a-z\d])+/g, '-')
    .slice(0, longestSubject)
    .replace(/-$/, '');
  return part === undefined ? `${words}-${id.slice(-6)}` : words;
}
