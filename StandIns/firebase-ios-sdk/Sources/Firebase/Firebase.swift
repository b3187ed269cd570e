// Google's header includes the modules that the app links.
