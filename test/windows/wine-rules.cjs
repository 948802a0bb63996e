// Node calls this for `fetch` before the connection exists, which Wine answers with an error.
require('node:net').Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
