package toep

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"os"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// transport returns what encrypts the connection, or what leaves it plain. The error is a [*SetupError] that names the
// file which cannot be used.
func transport(settings Settings) (credentials.TransportCredentials, error) {
	if !settings.TLS {
		return insecure.NewCredentials(), nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if settings.TLSCA != "" {
		pem, err := os.ReadFile(settings.TLSCA)
		if err != nil {
			return nil, setupf("TOEP_TLS_CA=%q: %v", settings.TLSCA, cause(err))
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, setupf("TOEP_TLS_CA=%q has no certificate in PEM", settings.TLSCA)
		}
	}
	if settings.TLSCert != "" {
		own, err := tls.LoadX509KeyPair(settings.TLSCert, settings.TLSKey)
		if err != nil {
			return nil, setupf("TOEP_TLS_CERT=%q and TOEP_TLS_KEY=%q cannot be used: %v", settings.TLSCert, settings.TLSKey,
				cause(err))
		}
		config.Certificates = []tls.Certificate{own}
	}
	return credentials.NewTLS(config), nil
}

// cause is an error without the path that it is about.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
