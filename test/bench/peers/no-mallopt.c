/* Loaded before the C library, so that the server cannot change the thresholds of its heap. */
int mallopt(int option, int value) {
  (void)option;
  (void)value;
  return 1;
}
