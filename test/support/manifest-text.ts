/** Returns a small manifest without problems: seven lines, followed by `more`. */
export const manifestText = ({
  name = 'hello',
  title = 'Hello',
  description = 'Says hello to the reader of a page.',
  organization = 'acme',
  visibility = 'private',
  scopes = '[]',
  more = '',
} = {}): string => `name: ${name}
title: ${title}
description: ${description}
organization: ${organization}
visibility: ${visibility}
scopes: ${scopes}
${more}`;

export const ticketLinks = manifestText({
  name: 'ticket-links',
  title: 'Ticket links',
  description: 'Turns links to tickets into cards.',
});
