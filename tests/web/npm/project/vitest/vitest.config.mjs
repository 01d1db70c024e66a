// SPDX-License-Identifier: GPL-3.0-or-later
// Vitest asks for the address of localhost, which a machine without /etc/hosts does not know.
export default { server: { host: '127.0.0.1' } };
